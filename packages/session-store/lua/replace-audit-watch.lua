-- Replaces the state of audit verification if it is still the one that was read: of several workers
-- that continue from the same state, only one succeeds, although all compute the same next state.
--
-- If it is resent, it returns 0: verification then waits for its next tick, which finds the new
-- state.
--
-- KEYS[1]  the state (JSON)
-- ARGV[1]  the state that was read; empty if there was none
-- ARGV[2]  the next state
-- returns  1 if it was replaced, 0 if not
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
