import t from 'tap'
import { Breaker, isRefusal, type Ticket } from '../../../plugins/circuit-breaker/breaker.ts'

function make() {
  let now = 1_000
  let opens = 0
  const breaker = new Breaker(
    { failure_threshold: 3, recovery_timeout_secs: 30, success_threshold: 2 },
    () => now,
    () => opens++,
  )
  const pass = (): Ticket => {
    const entered = breaker.enter()
    if (isRefusal(entered)) throw new Error(`refused for ${entered.retryAfter} s in ${breaker.state}`)
    return entered
  }
  const told = (outcome: 'success' | 'failure' | 'neutral'): void => breaker.settle(pass(), outcome)
  return {
    breaker,
    pass,
    told,
    wait: (ms: number) => (now += ms),
    opens: () => opens,
    open() {
      for (let i = 0; i < 3; i++) told('failure')
    },
  }
}

t.test('closed → open: failures in a row', (t) => {
  const { breaker, told, opens } = make()
  told('failure')
  told('failure')
  t.equal(breaker.state, 'closed', 'one below the threshold')
  told('success')
  told('failure')
  told('failure')
  t.equal(breaker.state, 'closed', 'a success begins the row anew')
  told('neutral')
  t.equal(breaker.state, 'closed')
  told('failure')
  t.equal(breaker.state, 'open', 'what says nothing neither counts nor breaks the row')
  t.equal(opens(), 1)
  t.end()
})

t.test('open: refuses for what remains, rounded up, at least a second', (t) => {
  const { breaker, open, wait } = make()
  open()
  t.same(breaker.enter(), { retryAfter: 30 })
  wait(10_500)
  t.same(breaker.enter(), { retryAfter: 20 })
  wait(19_499)
  t.same(breaker.enter(), { retryAfter: 1 })
  t.equal(breaker.state, 'open', 'time alone closes nothing')
  wait(1)
  t.notOk(isRefusal(breaker.enter()), 'the first behind the timeout is the probe')
  t.equal(breaker.state, 'half_open')
  t.end()
})

t.test('half-open → closed: after so many probes, one at a time', (t) => {
  const { breaker, open, wait, pass, told, opens } = make()
  open()
  wait(30_000)
  const probe = pass()
  t.match(breaker.enter(), { retryAfter: 30 }, 'all others wait for the probe')
  t.match(breaker.enter(), { retryAfter: 30 })
  breaker.settle(probe, 'success')
  t.equal(breaker.state, 'half_open', 'one is not enough')
  breaker.settle(probe, 'success')
  t.equal(breaker.state, 'half_open', 'nor the same one told twice')
  told('success')
  t.equal(breaker.state, 'closed')
  told('failure')
  told('failure')
  t.equal(breaker.state, 'closed', 'it counts from zero')
  told('failure')
  t.equal(breaker.state, 'open')
  t.equal(opens(), 2)
  t.end()
})

t.test('half-open → open: at once on one failure, and the time begins anew', (t) => {
  const { breaker, open, wait, told, opens } = make()
  open()
  wait(31_000)
  told('success')
  told('failure')
  t.equal(breaker.state, 'open')
  t.equal(opens(), 2)
  t.same(breaker.enter(), { retryAfter: 30 })
  wait(30_000)
  told('success')
  t.equal(breaker.state, 'half_open', 'the success before the failure is forgotten')
  t.end()
})

t.test('half-open: a probe that says nothing gives its place to the next', (t) => {
  const { breaker, open, wait, told, pass } = make()
  open()
  wait(30_000)
  told('neutral')
  t.equal(breaker.state, 'half_open')
  pass()
  t.match(breaker.enter(), { retryAfter: 30 })
  t.end()
})

t.test('half-open: a probe without a result has failed', (t) => {
  const { breaker, open, wait, pass } = make()
  open()
  wait(30_000)
  const lost = pass()
  wait(29_999)
  t.same(breaker.enter(), { retryAfter: 1 })
  wait(1)
  t.same(breaker.enter(), { retryAfter: 30 })
  t.equal(breaker.state, 'open')
  breaker.settle(lost, 'success')
  t.equal(breaker.state, 'open', 'and says nothing any more')
  t.end()
})

t.test('forbidden: what was let through in another state moves nothing', (t) => {
  const { breaker, open, wait, pass, told } = make()
  const early = [pass(), pass(), pass(), pass(), pass()]
  open()
  wait(20_000)
  breaker.settle(early[0]!, 'failure')
  t.same(breaker.enter(), { retryAfter: 10 }, 'a late failure does not lengthen it')
  breaker.settle(early[1]!, 'success')
  t.equal(breaker.state, 'open', 'open → closed: never without a probe')
  wait(10_000)
  const probe = pass()
  breaker.settle(early[2]!, 'failure')
  t.equal(breaker.state, 'half_open', 'half-open → open: by the probe alone')
  breaker.settle(early[3]!, 'success')
  breaker.settle(early[3]!, 'success')
  t.equal(breaker.state, 'half_open', 'half-open → closed: by probes alone')
  t.match(breaker.enter(), { retryAfter: 30 }, 'nor is the probe told of by others')
  breaker.settle(probe, 'success')
  told('success')
  t.equal(breaker.state, 'closed')
  for (let i = 0; i < 3; i++) breaker.settle(early[4]!, 'failure')
  t.equal(breaker.state, 'closed', 'closed → open: by those that came in since')
  t.end()
})
