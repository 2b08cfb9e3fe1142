import type { Database } from '../../contract/database.ts'
import type { Signals } from '../../contract/signals.ts'
import type { KeyValueStore } from '../../contract/store.ts'
import type { MemoryStoreOptions } from './memory-store.ts'

export type StoreChoice =
  | ({ readonly backend: 'memory' } & MemoryStoreOptions)
  | { readonly backend: 'kvstore'; readonly url: string; readonly signals: Signals; readonly timeoutMs?: number }
  | { readonly backend: 'sqldb'; readonly database: () => Database; readonly ready?: () => Promise<void> }

/**
 * Opens the key-value store that the configuration of a plugin names, and loads only its code. It does not wait for a
 * connection; while the store is unreachable, calls fail with SERVICE_UNAVAILABLE.
 * @param prefix prefix of all keys: `svc:<project>:<plugin>:`
 */
export async function openStore(prefix: string, choice: StoreChoice): Promise<KeyValueStore> {
  switch (choice.backend) {
    case 'memory':
      return new (await import('./memory-store.ts')).MemoryStore(choice)
    case 'kvstore': {
      const [{ openRedis }, { createRedisStore }] = await Promise.all([
        import('./redis.ts'),
        import('./redis-store.ts'),
      ])
      return createRedisStore(await openRedis(choice.url, choice), prefix)
    }
    case 'sqldb':
      return (await import('./sql-store.ts')).createSqlStore({ ...choice, prefix })
  }
}
