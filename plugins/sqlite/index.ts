import { definePlugin } from '../../core/doors/plugin.ts'
import { databaseFileExists, readDatabaseFile } from './database-file.ts'
import manifest from './manifest.ts'

export default definePlugin(manifest, (scope) => {
  scope.driver({
    name: 'sqlite',
    accepts: (url) => /^sqlite:/i.test(url),
    dialect: async () => (await import('./dialect/dialect.ts')).SQLITE,
    exists: (url, baseDir) => databaseFileExists(readDatabaseFile(url, baseDir)),
    folder: readDatabaseFile,
    open: async (config, context) => (await import('./driver.ts')).openSqlite(config, context),
  })
})
