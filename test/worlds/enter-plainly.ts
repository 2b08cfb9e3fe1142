import { type DatabaseWorld, databaseWorldEnv } from '../helpers/database-world.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import type { EnteredWorld } from './world.ts'

/** A world where the databases alone differ, if anything: what others differ from. */
export function enterPlainly(world: DatabaseWorld = {}, env: Readonly<Record<string, string>> = {}): EnteredWorld {
  return {
    env: { ...databaseWorldEnv(world), ...env },
    toml: '[observers]\nenabled = true\nbackend = "in-memory"\n',
    isProcess: false,
    database: (t, sql) => createPostgresDatabase(t, { sql, world }),
    served: (url) => url,
    front: async (_, { url }) => url,
    faults: () => [],
    leave: async () => {},
  }
}
