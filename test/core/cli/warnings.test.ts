import t from 'tap'
import { warningsOf } from '../../../core/cli/project/describe-service.ts'
import type { ServiceKernel } from '../../../core/service/plugins/service-kernel.ts'

const operation = (more: object = {}) => ({
  public: false,
  authenticated: false,
  apiKeyRequired: false,
  requiresRole: [],
  ...more,
})
const service = (
  mutations: readonly object[],
  authenticators: readonly string[] = ['jwt'],
  described = authenticators,
) =>
  ({
    hooks: { authenticate: () => undefined },
    generation: {
      schema: {
        queries: new Map([['q', operation()]]),
        arrowQueries: new Map(),
        mutations: new Map(mutations.map((mutation, n) => [String(n), mutation])),
      },
    },
    credentials: described.map((plugin) => ({ plugin })),
    describe: () => ({ plugins: [], hooks: [{ stage: 'authenticate', plugins: authenticators }] }),
  }) as never as ServiceKernel

t.test('in production, mutations that a public policy opens are warned of', async (t) => {
  const warn = (policy: 'public' | 'authenticated', isProduction: boolean, ...mutations: object[]) =>
    warningsOf(service(mutations), policy, isProduction)
  const [first = '', ...more] = warn('public', true, operation(), operation())
  t.match(first, /default_policy is "public" in production, and 2 mutations of the schema can be called by anybody/)
  t.strictSame(more, [])
  t.match(warn('public', true, operation()), [/1 mutation of the schema/])
  t.strictSame(warn('public', false, operation()), [], 'in development it is convenient')
  t.strictSame(warn('authenticated', true, operation()), [])
  t.strictSame(warn('public', true), [], 'reads alone change nothing')
  t.strictSame(warn('public', true, operation({ public: true })), [], 'one that its author has opened is meant')
  t.strictSame(warn('public', true, operation({ requiresRole: ['admin'] })), [], 'and one that is guarded is not open')
})

t.test('a plugin that verifies credentials and does not say where they are is warned of', async (t) => {
  t.strictSame(warningsOf(service([]), 'authenticated', false), [])
  t.match(warningsOf(service([], ['jwt', 'teams'], ['jwt']), 'authenticated', false), [
    /^Plugin "teams" verifies credentials and does not say where they are.*scope\.credentials/,
  ])
})
