-- Appends events to an organization's stream, which keeps the last ones for a while, and publishes
-- a hint.
--
-- If it is sent twice, it appends twice, which is harmless: an event only says what to read again.
--
-- KEYS[1]  stream
-- ARGV[1]  minimum number of events to keep
-- ARGV[2]  milliseconds to keep the stream after its last event
-- ARGV[3]  channel of the hints
-- ARGV[4]  the hint: the organization
-- ARGV[5…] events (JSON)
for i = 5, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'event', ARGV[i])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('PUBLISH', ARGV[3], ARGV[4])
