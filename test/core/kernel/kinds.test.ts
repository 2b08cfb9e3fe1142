import fc from 'fast-check'
import t from 'tap'
import { pluginOf } from '../../../core/base/errors/blame.ts'
import type { AnyFunction } from '../../../core/contract/stage-definition.ts'
import type { Kind } from '../../../core/contract/stages.ts'
import { type Hook, KINDS, type SettleReport } from '../../../core/kernel/kinds.ts'
import { failure } from '../../helpers/kernel.ts'

const NO_REPORT: SettleReport = { failed() {}, pending() {} }

function chain(kind: Kind, ...handlers: ((...args: never[]) => unknown)[]): (...args: unknown[]) => unknown {
  const hooks: Hook[] = handlers.map((handler, i) => ({ plugin: `p${i}`, handler: handler as AnyFunction }))
  return KINDS[kind](hooks, NO_REPORT)
}

const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(() => resolve(value)))

t.test('around wraps: first in, last out, arguments reach all, the innermost answers', async (t) => {
  const order: string[] = []
  const layer = (name: string) => (ctx: string, next: () => string) => {
    order.push(`${name} ${ctx} in`)
    const out = next()
    order.push(`${name} out`)
    return `${name}(${out})`
  }
  const run = chain('around', layer('a'), layer('b'))
  t.equal(
    run('x', () => 'core'),
    'a(b(core))',
    'stays synchronous',
  )
  t.same(order, ['a x in', 'b x in', 'b out', 'a out'])
})

t.test('around: next(instead) hands on another second argument, and the first stays', async (t) => {
  const seen: unknown[] = []
  const look = (ctx: string, what: string, next: () => unknown) => {
    seen.push(`${ctx} ${what}`)
    return next()
  }
  const less = (_ctx: string, what: string, next: (instead?: string) => unknown) => next(`less ${what}`)
  const run = chain('around', look, less, look)
  t.equal(
    run('x', 'all', (what: unknown) => what),
    'less all',
  )
  t.same(seen, ['x all', 'x less all'], 'who stands outside keeps what was asked for')
  const alone = chain('around', (_ctx: string, next: (instead?: string) => unknown) => next('y'))
  t.equal(
    alone('x', (instead: unknown) => instead),
    undefined,
    'an exchange is never another one',
  )
})

t.test('around: a hook that does not call next() answers itself', async (t) => {
  const run = chain(
    'around',
    () => 'mine',
    () => t.fail('not reached'),
  )
  t.equal(
    run(() => t.fail('not reached')),
    'mine',
  )
})

t.test('around: next() called twice throws and names the plugin; the rest ran once', async (t) => {
  for (const twice of [
    (next: () => unknown) => {
      next()
      return next()
    },
    async (next: () => unknown) => {
      await later(null)
      await next()
      return next()
    },
  ]) {
    let runs = 0
    const run = chain('around', (next: () => unknown) => next(), twice)
    const error = await failure(() => run(() => ++runs))
    t.equal(error.code, 'SVC_HOOK_NEXT_TWICE')
    t.match(error.message, '"p1"')
    t.equal(runs, 1)
    t.equal(pluginOf(error), 'p1')
  }
})

t.test('around: handing on a promise adds nothing to it', async (t) => {
  const promise = later('core')
  const run = chain(
    'around',
    (next: () => unknown) => next(),
    (next: () => unknown) => next(),
  )
  t.equal(
    run(() => promise),
    promise,
    'the very same promise',
  )
})

t.test('around: an error belongs to the plugin that raised it, not to those it passed', async (t) => {
  const pass = (next: () => unknown) => next()
  const passLater = async (next: () => unknown) => {
    await later(null)
    return await next()
  }
  const own = () => {
    throw new Error('own')
  }
  const ownLater = async (next: () => unknown) => {
    await next()
    throw new Error('own')
  }
  const replaces = async (next: () => unknown) => {
    try {
      return await next()
    } catch {
      throw new Error('own')
    }
  }
  const failing = () => {
    throw new Error('core')
  }
  const failingLater = async () => {
    await later(null)
    throw new Error('core')
  }
  const cases: [string | null, AnyFunction, ...((next: () => unknown) => unknown)[]][] = [
    ['p1', () => 1, pass, own],
    ['p1', () => 1, passLater, own],
    ['p0', () => 1, ownLater, pass],
    ['p0', () => later(1), ownLater, pass],
    ['p0', failing, replaces, pass],
    ['p0', failingLater, replaces, passLater],
    [null, failing, pass, passLater],
    [null, failingLater, passLater, pass, passLater],
  ]
  for (const [culprit, innermost, ...hooks] of cases) {
    const error = await failure(() => chain('around', ...hooks)(innermost))
    t.equal(pluginOf(error), culprit)
  }
})

t.test('first: undefined asks the next, an answer ends it, a throw ends it', async (t) => {
  const asked: string[] = []
  const no = () => void asked.push('no')
  const noLater = async () => void asked.push('noLater')
  t.equal(chain('first', no, () => 'yes', no)('x'), 'yes')
  t.equal(await chain('first', noLater, no, () => later('yes'), no)('x'), 'yes')
  t.equal(chain('first', no)('x'), undefined)
  t.same(asked, ['no', 'noLater', 'no', 'no'])
  t.equal(chain('first', () => null)('x'), null, 'null is an answer')
  const error = await failure(() =>
    chain(
      'first',
      () => Promise.reject(new Error('bad')),
      () => t.fail('never falls through'),
    )('x'),
  )
  t.equal(error.message, 'bad')
  t.equal(pluginOf(error), 'p0')
})

t.test('every and series: in order, waiting for promises, a throw stops', async (t) => {
  for (const kind of ['every', 'series'] as const) {
    const ran: string[] = []
    const slow = async (x: string) => {
      await later(null)
      ran.push(`slow ${x}`)
    }
    const quick = (x: string) => void ran.push(`quick ${x}`)
    t.equal(chain(kind, quick, quick)('1'), undefined, 'synchronous until a promise appears')
    await chain(kind, slow, quick)('2')
    t.same(ran, ['quick 1', 'quick 1', 'slow 2', 'quick 2'])
    const deny = () => {
      throw new Error('denied')
    }
    const error = await failure(() => chain(kind, slow, deny, () => t.fail('not reached'))('3'))
    t.equal(pluginOf(error), 'p1')
  }
})

t.test('waterfall: the first argument goes through; undefined keeps it', async (t) => {
  const add = (text: string, ctx: string) => `${text}+${ctx}`
  t.equal(chain('waterfall', add, () => undefined, add)('doc', 'c'), 'doc+c+c')
  t.equal(await chain('waterfall', add, async (x: string) => later(`${x}!`), add)('doc', 'c'), 'doc+c!+c')
})

t.test('settle: all run without waiting, failures are reported with their plugin', async (t) => {
  const failed: [string, string][] = []
  const pending: Promise<void>[] = []
  const ran: string[] = []
  const hooks = [
    () => {
      throw new Error('sync')
    },
    async () => {
      throw new Error('async')
    },
    async () => {
      await later(null)
      ran.push('slow')
    },
    () => void ran.push('quick'),
  ].map((handler, i) => ({ plugin: `p${i}`, handler }))
  const run = KINDS.settle(hooks, {
    failed: (plugin, error) => failed.push([plugin, (error as Error).message]),
    pending: (work) => pending.push(work),
  })
  t.equal(run('event'), undefined)
  t.same(ran, ['quick'])
  await Promise.all(pending)
  t.same(failed, [
    ['p0', 'sync'],
    ['p1', 'async'],
  ])
  t.same(ran, ['quick', 'slow'])
})

t.test('a thrown value that is no error becomes one, with the plugin named', async (t) => {
  const error = await failure(() =>
    chain('every', () => {
      throw 'text'
    })(),
  )
  t.match(error.message, /^Plugin "p0" threw/)
  t.equal(error.cause, 'text')
  t.equal(pluginOf(error), 'p0')
})

t.test('property: whichever hooks are async, the outcome is that of the synchronous chain', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), fc.boolean(), async (asyncs, inner) => {
      const log: number[] = []
      const hooks = asyncs.map((isAsync, i) =>
        isAsync
          ? async (next: () => unknown) => {
              log.push(i)
              return `${i}${await next()}`
            }
          : (next: () => unknown) => {
              log.push(i)
              const out = next()
              return out instanceof Promise ? out.then((text) => `${i}${text}`) : `${i}${out}`
            },
      )
      const out = chain('around', ...hooks)(() => (inner ? later('.') : '.'))
      if (out instanceof Promise !== (inner || asyncs.includes(true))) throw new Error('promise where none is needed')
      const expected = `${asyncs.map((_, i) => i).join('')}.`
      if ((await out) !== expected || log.join('') !== asyncs.map((_, i) => i).join('')) throw new Error(String(log))
    }),
  )
})
