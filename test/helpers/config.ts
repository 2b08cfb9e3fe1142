import { defaultConfig } from '../../core/config/default-config.ts'
import { mergeTables, type Table } from '../../core/config/key-path.ts'
import type { Config } from '../../core/contract/config.ts'

/** The configuration of an empty svc.toml, and over it these keys, nested like svc.toml. */
export function configWith(keys: object = {}): Config {
  return mergeTables(defaultConfig() as unknown as Table, keys as Table) as unknown as Config
}

/** The same for a service of a test: on a free port, with few connections, soon closed. */
export function serviceConfigWith(keys: { readonly [Section in keyof Config]?: object }): Config {
  const { database, server, svc } = keys
  return configWith({
    ...keys,
    database: {
      ssl_mode: 'disable',
      pool_min: 0,
      pool_max: 5,
      idle_timeout_ms: 10_000,
      plan_cache_mode: 'auto',
      ...database,
    },
    server: {
      host: '127.0.0.1',
      port: 0,
      keep_alive_secs: 5,
      shutdown_grace_ms: 0,
      shutdown_timeout_ms: 1000,
      ...server,
    },
    svc: { schema_file: '', output_file: '', max_response_bytes: 0, ...svc },
  })
}
