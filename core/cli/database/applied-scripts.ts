import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TableDefinition } from '../../contract/table.ts'
import type { Project } from '../project/load-project.ts'
import { tablesOf } from './tables-of.ts'

/** Definition of the table in which `svc db apply` records the scripts that it has run. */
export const APPLIED_SCRIPTS: TableDefinition = {
  name: 'svc_applied_script',
  purpose: 'Scripts of the project that `svc db apply` has run',
  onDemand: true,
  versions: [
    {
      columns: ['name', 'checksum', 'applied_at'],
      sql: {
        postgres:
          'CREATE TABLE IF NOT EXISTS svc_applied_script (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
        sqlite:
          'CREATE TABLE IF NOT EXISTS svc_applied_script (name TEXT PRIMARY KEY, checksum TEXT NOT NULL, applied_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP)',
        mysql:
          'CREATE TABLE IF NOT EXISTS svc_applied_script (name varchar(255) NOT NULL PRIMARY KEY, checksum varchar(64) NOT NULL, applied_at timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
      },
    },
  ],
}

/** Returns the tables of the plugins of a project and, if it has scripts to apply, the table of `svc db apply`. */
export function tablesOfProject({ list, baseDir, config }: Project): readonly TableDefinition[] {
  const hasScripts = existsSync(resolve(baseDir, config.database.init_dir))
  return [...tablesOf(list.listed), ...(hasScripts ? [APPLIED_SCRIPTS] : [])]
}
