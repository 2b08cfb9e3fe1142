import { POSTGRES } from '../../core/doors/driver.ts'
import { definePlugin } from '../../core/doors/plugin.ts'
import { dataFolderExists, readDataFolder } from './engine/data-folder.ts'
import manifest from './manifest.ts'

/** `[pglite]` */
interface PgliteOptions {
  readonly extensions: readonly string[]
}

export default definePlugin<PgliteOptions>(manifest, (scope, { extensions }) => {
  scope.driver({
    name: 'pglite',
    accepts: (url) => /^pglite:/i.test(url),
    dialect: async () => POSTGRES,
    exists: (url, baseDir) => dataFolderExists(readDataFolder(url, baseDir)),
    folder: readDataFolder,
    // The embedded database is 25 MB of WebAssembly, and is imported only when the configuration names it.
    open: async (config, { baseDir, signals }) =>
      (await import('./driver.ts')).openPglite(config, readDataFolder(config.url, baseDir), signals, extensions),
  })
})
