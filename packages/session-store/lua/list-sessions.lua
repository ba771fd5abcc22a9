-- The organization's sessions whose pod has sent a recent heartbeat, oldest first.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- ARGV[1]  milliseconds without a beat after which a session counts as gone
-- returns  the sessions (JSON)
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[1])
local sessions = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  local beat = tonumber(redis.call('ZSCORE', KEYS[1], id))
  if beat and beat > since then
    sessions[#sessions + 1] = redis.call('HGET', KEYS[2], id)
  end
end
return sessions
