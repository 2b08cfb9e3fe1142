import fc from 'fast-check'
import t from 'tap'
import { restartDelay } from '../../../../core/cli/workers/restart-delay.ts'
import { shareDatabase } from '../../../../core/cli/workers/share-database.ts'
import { linkToSupervisor } from '../../../../core/cli/workers/worker-link.ts'
import type { AppConfig } from '../../../../core/config/app-config.ts'

const configOf = (workers: number, pool_max: number, pool_min = 0) =>
  ({ server: { workers }, database: { pool_max, pool_min } }) as AppConfig

t.test('the shares of all workers are the whole', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.nat(500), fc.nat(500), (workers, more, least) => {
      const config = configOf(workers, workers + more, least)
      const shares = Array.from({ length: workers }, (_, i) => shareDatabase(config, i + 1))
      const sum = (key: 'pool_max' | 'pool_min') => shares.reduce((total, share) => total + share[key], 0)
      const most = shares.map(({ pool_max }) => pool_max)
      return (
        sum('pool_max') === workers + more &&
        sum('pool_min') === least &&
        Math.min(...most) >= 1 &&
        Math.max(...most) - Math.min(...most) <= 1
      )
    }),
  )
  t.throws(() => shareDatabase(configOf(4, 3), 1), { code: 'SVC_CONFIG_INVALID', message: /server\.workers = 4/ })
})

t.test('a worker that dies again and again is started later each time', async (t) => {
  t.strictSame([0, 1, 2, 3, 4].map(restartDelay), [0, 100, 200, 400, 800])
  t.equal(restartDelay(1000), 30_000)
})

t.test('a process that no supervisor started is no worker, whatever its variables say', async (t) => {
  t.equal(linkToSupervisor({}), null)
  t.equal(linkToSupervisor({ SVC_WORKER: '1' }), null)
})
