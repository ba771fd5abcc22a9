-- Counts a request against one or more limits, each in a window that begins with the first request in it. A limit that refuses ends the
-- count: those after it are not charged.
--
-- Not safe to resend, in that a resent request counts twice.
--
-- KEYS     the counts
-- ARGV[1]  milliseconds of a window
-- ARGV[n]  how many requests KEYS[n - 1] admits in it
-- returns  for each limit that was asked: requests in its window, this one included, and milliseconds until it ends
local reply = {}
for n, key in ipairs(KEYS) do
  local used = redis.call('INCR', key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    left = tonumber(ARGV[1])
    redis.call('PEXPIRE', key, left)
  end
  table.insert(reply, used)
  table.insert(reply, left)
  if used > tonumber(ARGV[n + 1]) then
    break
  end
end
return reply
