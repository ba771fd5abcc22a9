-- The heartbeat of a pod for some of its sessions, which keeps them live for a while.
--
-- Safe to resend. If Redis loses its data, one beat restores all of them.
--
-- KEYS[1]  last beats, a sorted set of session ids
-- KEYS[2]  sessions, a hash: id -> session (JSON)
-- KEYS[3]  the organization's sessions, a sorted set of ids by their start
-- KEYS[4]  revoked sessions, a sorted set of ids by time of revocation
-- ARGV     for each session: id, start in milliseconds since 1970, session (JSON)
-- returns  the ids of revoked sessions
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local revoked = {}
for i = 1, #ARGV, 3 do
  local id = ARGV[i]
  redis.call('ZADD', KEYS[1], now, id)
  redis.call('HSET', KEYS[2], id, ARGV[i + 2])
  redis.call('ZADD', KEYS[3], ARGV[i + 1], id)
  if redis.call('ZSCORE', KEYS[4], id) then
    revoked[#revoked + 1] = id
  end
end
return revoked
