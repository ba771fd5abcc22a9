-- Counts a request against one or more limits, each in a window that begins with the first request in it. A limit that refuses ends the
-- count: those after it are not charged. Tells, too, whether the caller has just changed.
--
-- Not safe to resend, in that a resent request counts twice.
--
-- KEYS[1]  exists for a while after a change of the caller
-- KEYS[n]  the counts
-- ARGV[1]  milliseconds of a window
-- ARGV[n]  how many requests KEYS[n] admits in it
-- returns  1 or 0 for a change, then for each limit that was asked: requests in its window, this one included, and milliseconds until it
--          ends
local reply = { redis.call('EXISTS', KEYS[1]) }
for n = 2, #KEYS do
  local key = KEYS[n]
  local used = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', key, left)
  end
  table.insert(reply, used)
  table.insert(reply, left)
  if used > tonumber(ARGV[n]) then
    break
  end
end
return reply
