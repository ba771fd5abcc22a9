-- Registers a session of an organization, unless so many of its sessions are live already.
--
-- Safe to resend: who is registered stays so.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- ARGV[1]  session id
-- ARGV[2]  milliseconds since 1970 at its start
-- ARGV[3]  session (JSON)
-- ARGV[4]  how many sessions the organization may have
-- ARGV[5]  milliseconds without a beat after which a session counts as gone
-- returns  1, or 0 when there are too many
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, since = tonumber(ARGV[4]), now - tonumber(ARGV[5])
-- Those of a pod that died are still in the list: they are told apart only where it matters.
if redis.call('ZCARD', KEYS[3]) >= limit and not redis.call('ZSCORE', KEYS[3], ARGV[1]) then
  local live = 0
  for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
    local beat = tonumber(redis.call('ZSCORE', KEYS[1], id))
    if beat and beat > since then
      live = live + 1
    end
  end
  if live >= limit then
    return 0
  end
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[2], ARGV[1])
return 1
