import { deepFreeze } from '../base/util/deep-freeze.ts'
import { defaultConfig } from '../config/default-config.ts'
import { mergeTables, type Table } from '../config/key-path.ts'
import type { Config } from '../contract/config.ts'

/** How long `afterCommit` hooks and plugins that close may take. */
export const SETTLE_MS = 2000

/** Keys that differ from those of an empty svc.toml. */
const DIFFERENCES = {
  server: {
    host: '127.0.0.1',
    port: 0,
    // A debugger may stop a test for longer than any time limit.
    request_timeout_ms: 0,
    keep_alive_secs: 5,
    shutdown_grace_ms: 0,
    shutdown_timeout_ms: SETTLE_MS,
    max_upgraded_connections: 1000,
  },
  security: { default_policy: 'public' },
  debug: { server_timing: false },
}

/** The configuration of a service under test: the defaults, and over them the keys that the test sets. */
export function testConfig(keys: Readonly<Table> = {}): Config {
  const defaults = mergeTables(defaultConfig() as unknown as Table, DIFFERENCES)
  // A copy: the test may change its own object later.
  return deepFreeze(mergeTables(defaults, structuredClone(keys)) as unknown as Config)
}
