import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DatabaseConfig } from '../../core/doors/driver.ts'
import type { Database } from '../../core/doors/plugin.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import type { TestDatabase } from './databases.ts'

const ROOT = join(import.meta.dirname, '../..')
/** In reach of the packages of test/package.json, as a project would have them installed. */
const FOLDER = join(ROOT, 'test/node_modules/.cache/svc-duckdb', String(process.pid))
/** The plugin of another project, where its package is found. */
export const DUCKDB_PLUGIN = join(FOLDER, 'plugin-duckdb')
/** The music store as a DuckDB file. */
export const DUCKDB_CHINOOK = join(FOLDER, 'chinook.duckdb')

mkdirSync(FOLDER, { recursive: true })
cpSync(join(ROOT, 'examples/plugin-duckdb'), DUCKDB_PLUGIN, { recursive: true })
const writer = join(DUCKDB_PLUGIN, 'chinook/write-database.mjs')
execFileSync(process.execPath, [writer, join(ROOT, 'examples/chinook/db'), FOLDER])

const CONFIG: DatabaseConfig = {
  url: 'duckdb:',
  ssl_mode: 'disable',
  pool_min: 0,
  pool_max: 10,
  connect_timeout_ms: 5000,
  idle_timeout_ms: 10_000,
  prepared_statements: true,
  plan_cache_mode: 'auto',
}

/** Removes the files of this module, at the end of a test file. */
export function removeDuckdbFiles(): void {
  rmSync(FOLDER, { recursive: true, force: true })
}

/** Opens a file with the driver of the plugin. The caller closes it. */
export async function openDuckdb(
  file: string,
  config: Partial<DatabaseConfig> = {},
  maxResultBytes = 0,
): Promise<Database> {
  const driver = await import(pathToFileURL(join(DUCKDB_PLUGIN, 'driver.ts')).href)
  const context = { baseDir: FOLDER, signals: createSignals(), maxResultBytes }
  return driver.openDuckdb(file, { ...CONFIG, ...config }, context)
}

/** Creates a file. @returns its path */
export async function writeDuckdb(name: string, sql: string): Promise<string> {
  const file = join(FOLDER, name)
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
  return file
}

/** A DuckDB file as a database of tests. */
export function duckdbFile(file: string): TestDatabase {
  return { kind: 'plugin', url: `duckdb:${file}`, open: () => openDuckdb(file) }
}
