import { POSTGRES } from '../../core/doors/driver.ts'
import { definePlugin } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'

export default definePlugin(manifest, (scope) => {
  scope.driver({
    name: 'postgres',
    accepts: (url) => /^postgres(?:ql)?:/i.test(url),
    dialect: async () => POSTGRES,
    // `pg` is imported only when the configuration names a PostgreSQL server.
    open: async (config, { signals, maxResultBytes, workers }) =>
      (await import('./driver.ts')).openPostgres(config, signals, { maxResultBytes, workers }),
  })
})
