import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type Auth, type Exchange, type Reply, SvcError } from '../../../core/doors/plugin.ts'
import { SessionWatch, type SessionWatchParts } from '../../../plugins/subscriptions/session/session-watch.ts'
import type { TestLike } from '../../helpers/services.ts'
import { authOf, type TestCaller } from '../../helpers/test-credential.ts'
import { until } from './shop.ts'

const CALLER: TestCaller = {
  scopes: ['read', 'write'],
  roles: ['admin'],
  claims: { tenant_id: 't1', exp: 1, jti: 'a' },
}

/** What verifies credentials answers as it is told. */
function watched(t: TestLike, answer: () => Auth | null | Promise<Auth>, graceMs?: number, verifyMs?: number) {
  let asked = 0
  const enter: SessionWatchParts['enter'] = async (given, handler) => {
    const ctx = { auth: null } as unknown as Exchange & { readonly transport: 'websocket' }
    asked++
    try {
      ctx.auth = await answer()
    } catch (error) {
      return (given as { renderError(ctx: Exchange, error: unknown): Reply }).renderError(ctx, error)
    }
    return await handler(ctx)
  }
  const watch = new SessionWatch({
    enter,
    endOf: () => null,
    recheckMs: 60_000,
    ...(graceMs === undefined ? {} : { graceMs }),
    ...(verifyMs === undefined ? {} : { verifyMs }),
  })
  t.teardown(() => watch.close())
  const ends: SvcError[] = []
  const session = { transport: 'internal', headers: {}, address: '', auth: authOf(CALLER) } as const
  watch.add(session, (error) => void ends.push(error as SvcError))
  return {
    ends,
    watch,
    asked: () => asked,
    async ask() {
      const before = asked
      watch.revoked()
      await until(() => asked > before, 'it is asked')
      await new Promise(setImmediate)
    },
  }
}

t.test('a subscription ends when the rights of its caller change', async (t) => {
  const other: Record<string, TestCaller> = {
    roles: { ...CALLER, roles: [] },
    scopes: { ...CALLER, scopes: ['read'] },
    'more scopes': { ...CALLER, scopes: ['read', 'write', 'all'] },
    tenant: { ...CALLER, claims: { tenant_id: 't2' } },
    'a claim less': { ...CALLER, claims: {} },
    subject: { ...CALLER, subject: 'bob' },
  }
  for (const [name, caller] of Object.entries(other)) {
    const { ends, ask } = watched(t, () => authOf(caller))
    await ask()
    t.match(ends, [{ code: 'UNAUTHENTICATED' }], name)
  }
  const nobody = watched(t, () => null)
  await nobody.ask()
  t.match(nobody.ends, [{ message: 'The credential is not valid any more.' }])
  const same = { ...CALLER, scopes: ['write', 'read'], claims: { jti: 'b', exp: 2, iat: 3, tenant_id: 't1' } }
  const { ends, ask } = watched(t, () => authOf(same))
  await ask()
  t.same(ends, [], 'the same rights')
})

t.test('a credential stays valid for a while if it cannot be verified', async (t) => {
  const away = () => {
    throw new SvcError('SERVICE_UNAVAILABLE', 'The store is away.')
  }
  let answer: () => Auth = away
  const borne = watched(t, () => answer())
  await borne.ask()
  t.same(borne.ends, [])
  answer = () => {
    throw new SvcError('UNAUTHENTICATED', 'Revoked.')
  }
  await borne.ask()
  t.match(borne.ends, [{ message: 'Revoked.' }], 'a refusal is none')
  const short = watched(t, away, 20)
  await short.ask()
  t.same(short.ends, [])
  // The sweep asks again by itself.
  await until(() => short.ends.length === 1, 'it is over')
  t.match(short.ends, [{ code: 'SERVICE_UNAVAILABLE' }])
})

t.test('a check that never answers does not delay later checks', async (t) => {
  let answer: () => Auth | Promise<Auth> = () => new Promise<Auth>(() => {})
  const hung = watched(t, () => answer(), 60_000, 10)
  await hung.ask()
  await sleep(60)
  t.same(hung.ends, [], 'it is as if what verifies were away')
  answer = () => {
    throw new SvcError('UNAUTHENTICATED', 'Revoked.')
  }
  await hung.ask()
  t.match(hung.ends, [{ message: 'Revoked.' }])
  const never = watched(t, () => new Promise<Auth>(() => {}), 30, 10)
  await never.ask()
  await until(() => never.ends.length === 1, 'it is over')
  t.match(never.ends, [{ code: 'TIMEOUT' }])
})

t.test('a revocation during verification starts another verification', async (t) => {
  let release = (): void => {}
  const first = new Promise<void>((resolve) => {
    release = resolve
  })
  let count = 0
  const { watch, asked, ends } = watched(t, async () => {
    count++
    if (count === 1) await first
    else throw new SvcError('UNAUTHENTICATED', 'Revoked.')
    return authOf(CALLER)
  })
  watch.revoked()
  watch.revoked()
  t.equal(asked(), 1, 'one after the other')
  release()
  await new Promise(setImmediate)
  t.equal(asked(), 2, 'and not when the next sweep comes')
  await until(() => ends.length > 0, 'it is over')
  t.match(ends, [{ message: 'Revoked.' }])
})
