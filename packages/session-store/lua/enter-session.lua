-- Registers a session of an organization, unless too many of its sessions are live.
--
-- Safe to resend: a registered session stays registered.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- ARGV[1]  session id
-- ARGV[2]  its start in milliseconds since 1970
-- ARGV[3]  session (JSON)
-- ARGV[4]  how many sessions the organization may have
-- ARGV[5]  milliseconds without a beat after which a session counts as gone
-- returns  1, or 0 if there are too many
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local limit, since = tonumber(ARGV[4]), now - tonumber(ARGV[5])
-- Sessions of a dead pod are still in the list; they are only filtered out when it matters.
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
