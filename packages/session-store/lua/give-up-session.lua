-- Removes a lost session from the registry and marks it as revoked, so that its pod, if it comes
-- back, ends the session.
--
-- Safe to resend.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- KEYS[4]  revoked sessions
-- ARGV[1]  session id
-- ARGV[2]  milliseconds to keep a mark
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', string.format('%.0f', now - tonumber(ARGV[2])))
redis.call('ZADD', KEYS[4], string.format('%.0f', now), ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('ZREM', KEYS[3], ARGV[1])
