import { definePlugin } from '../../core/doors/plugin.ts'
import manifest from './manifest.ts'

export default definePlugin(manifest, (scope) => {
  scope.driver({
    name: 'mysql',
    accepts: (url) => /^(?:mysql|mariadb):/i.test(url),
    dialect: async () => (await import('./dialect/dialect.ts')).MYSQL,
    // `mysql2` is imported only when the configuration names a MariaDB or MySQL server.
    open: async (config, context) => (await import('./driver.ts')).openMysql(config, context),
  })
})
