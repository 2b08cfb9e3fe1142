import { POSTGRES } from '../../core/doors/driver.ts'
import { definePlugin, importPackages } from '../../core/doors/plugin.ts'
import { dataFolderExists, readDataFolder } from './engine/data-folder.ts'
import manifest from './manifest.ts'
import { ENGINE_PACKAGE } from './packages.ts'

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
    open: async (config, { baseDir, signals }) => {
      const { openPglite } = await importPackages(manifest.name, ENGINE_PACKAGE, () => import('./driver.ts'))
      return openPglite(config, readDataFolder(config.url, baseDir), signals, extensions)
    },
  })
})
