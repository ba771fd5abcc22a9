-- Appends events to an organization's stream, of which the last ones are kept for a while, and hints that there are some.
--
-- Sent twice, it appends twice: whoever reads an event does the same again.
--
-- KEYS[1]  stream
-- ARGV[1]  how many are kept at least
-- ARGV[2]  milliseconds for which the stream is kept after its last event
-- ARGV[3]  channel of the hints
-- ARGV[4]  the hint: whose stream it is
-- ARGV[5…] events (JSON)
for i = 5, #ARGV do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'event', ARGV[i])
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('PUBLISH', ARGV[3], ARGV[4])
