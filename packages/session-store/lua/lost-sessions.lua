-- Sessions whose pod fell silent while Redis was available. After an outage every beat is old, so a
-- session only counts as lost once the watch has run without a gap for as long as a pod may be
-- silent.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the watch: "<start without a gap> <last check>"
-- ARGV[1]  milliseconds without a beat after which a session is lost
-- ARGV[2]  milliseconds between two checks that count as a gap
-- ARGV[3]  maximum number
-- returns  the sessions (JSON), those silent for longest first
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local since, last = string.match(redis.call('GET', KEYS[3]) or '', '^(%d+) (%d+)$')
if not since or now - tonumber(last) > tonumber(ARGV[2]) then
  since = now
end
redis.call('SET', KEYS[3], string.format('%.0f %.0f', since, now))
local silent = now - tonumber(ARGV[1])
if tonumber(since) > silent then
  return {}
end
local sessions = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', silent), 'LIMIT', 0, ARGV[3])) do
  local session = redis.call('HGET', KEYS[2], id)
  if session then
    sessions[#sessions + 1] = session
  else
    redis.call('ZREM', KEYS[1], id)
  end
end
return sessions
