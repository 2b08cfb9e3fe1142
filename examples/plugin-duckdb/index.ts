import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { definePlugin } from 'svc'
import manifest from './manifest.ts'

/** `duckdb:./shop.duckdb` → the absolute path of the file. Relative paths start from the folder of svc.toml. */
function fileOf(url: string, baseDir: string): string {
  return resolve(baseDir, url.replace(/^duckdb:(\/\/(?=\/))?/i, ''))
}

export default definePlugin(manifest, (scope) => {
  scope.driver({
    name: 'duckdb',
    accepts: (url) => /^duckdb:/i.test(url),
    dialect: async () => (await import('./dialect.ts')).DUCKDB,
    exists: async (url, baseDir) => existsSync(fileOf(url, baseDir)),
    folder: fileOf,
    // DuckDB is a large library: a service without a DuckDB file never loads it.
    open: async (config, context) =>
      (await import('./driver.ts')).openDuckdb(fileOf(config.url, context.baseDir), config, context),
  })
})
