-- The approvals that wait past their deadline, the longest overdue first.
--
-- KEYS[1]  deadlines of all that wait
-- ARGV[1]  how many at most
-- returns  {how many wait in all, milliseconds by which the first is overdue, id, id, …}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local overdue = math.max(0, now - (tonumber(first[2]) or now))
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, ARGV[1])
return { redis.call('ZCARD', KEYS[1]), overdue, unpack(ids) }
