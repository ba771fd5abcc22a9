-- Replaces the state of the watch over audit logs, if it still is the one that was read: of workers that go on from the same state, one does,
-- although all come to the same next one.
--
-- Resent, it answers 0: the walk then waits for its next tick, which finds the state in its place.
--
-- KEYS[1]  the state (JSON)
-- ARGV[1]  what was read; empty if there was none
-- ARGV[2]  what comes after it
-- returns  1 if it was replaced, 0 if not
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
