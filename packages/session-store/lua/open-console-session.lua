-- Stores a session of the console under the hash of its cookie.
--
-- Safe to resend: the same session is written again.
--
-- KEYS[1]  session key
-- ARGV[1]  session (JSON)
-- ARGV[2]  milliseconds after which it expires if unused
-- ARGV[3]  milliseconds after which it expires in any case
local now = redis.call('TIME')
local deadline = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'deadline', string.format('%.0f', deadline))
redis.call('PEXPIRE', KEYS[1], math.min(tonumber(ARGV[2]), tonumber(ARGV[3])))
