-- Stores a ticket under a new token's hash and tells until when it can be redeemed, on Redis' clock. With the keys of live sessions it does so
-- only while the organization has fewer of them than it may.
--
-- Safe to resend: the same ticket is written again, with a deadline that is later by the time the resend took.
--
-- KEYS[1]  ticket key
-- KEYS[2]  last beats, see beat-sessions.lua
-- KEYS[3]  the organization's sessions
-- ARGV[1]  ticket (JSON)
-- ARGV[2]  milliseconds until the token expires
-- ARGV[3]  milliseconds for which an expired ticket is kept, so that it is told apart from one that never was
-- ARGV[4]  milliseconds without a beat after which a session counts as gone
-- ARGV[5]  how many live sessions the organization may have
-- returns  the deadline in milliseconds since 1970, or nothing
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Sessions of a dead pod are still in the list; they are only filtered out when it matters.
if KEYS[3] and redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[5]) then
  local live = 0
  for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
    local beat = tonumber(redis.call('ZSCORE', KEYS[2], id))
    if beat and beat > now - tonumber(ARGV[4]) then
      live = live + 1
    end
  end
  if live >= tonumber(ARGV[5]) then
    return false
  end
end
local deadline = now + tonumber(ARGV[2])
redis.call('SET', KEYS[1], string.format('%.0f:%s', deadline, ARGV[1]), 'PX', ARGV[2] + ARGV[3])
return deadline
