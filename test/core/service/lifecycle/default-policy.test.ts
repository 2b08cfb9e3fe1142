import t from 'tap'
import type { RootGuard } from '../../../../core/contract/operation.ts'
import { isOpenOperation } from '../../../../core/service/lifecycle/default-policy.ts'

t.test(
  'under a public policy each guard closes an operation by itself, and `public` opens it under each policy',
  (t) => {
    const none = {
      public: false,
      authenticated: false,
      apiKeyRequired: false,
      requiresRole: [],
      requiresScope: undefined,
      requiresPolicy: undefined,
    } as unknown as RootGuard
    t.equal(isOpenOperation(none, 'public'), true)
    t.equal(isOpenOperation(none, 'authenticated'), false)
    for (const guard of [
      { authenticated: true },
      { apiKeyRequired: true },
      { requiresRole: ['staff'] },
      { requiresScope: 'read:orders' },
      { requiresPolicy: 'own' },
    ]) {
      const guarded = { ...none, ...guard } as unknown as RootGuard
      t.equal(isOpenOperation(guarded, 'public'), false, JSON.stringify(guard))
      for (const policy of ['public', 'authenticated'] as const)
        t.equal(isOpenOperation({ ...guarded, public: true }, policy), true)
    }
    t.end()
  },
)
