import type { Database } from '../contract/database.ts'
import type { KeyValueStore } from '../contract/store.ts'
import type { Signals } from '../signals/signals.ts'
import { MemoryStore, type MemoryStoreOptions } from './memory-store.ts'
import { openRedis } from './redis.ts'
import { createRedisStore } from './redis-store.ts'
import { createSqlStore } from './sql-store.ts'

export type StoreChoice =
  | ({ readonly backend: 'memory' } & MemoryStoreOptions)
  | { readonly backend: 'kvstore'; readonly url: string; readonly signals: Signals; readonly timeoutMs?: number }
  | { readonly backend: 'sqldb'; readonly database: () => Database; readonly ready?: () => Promise<void> }

/**
 * Opens the store that the configuration names, and no other: one that cannot be reached rejects every call until it can.
 * @param prefix of all keys: `svc:<project>:<plugin>:`
 */
export async function openStore(prefix: string, choice: StoreChoice): Promise<KeyValueStore> {
  switch (choice.backend) {
    case 'memory':
      return new MemoryStore(choice)
    case 'kvstore':
      return createRedisStore(await openRedis(choice.url, choice), prefix)
    case 'sqldb':
      return createSqlStore({ ...choice, prefix })
  }
}
