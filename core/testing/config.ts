import { deepFreeze } from '../base/util/deep-freeze.ts'
import { defaultConfig } from '../config/default-config.ts'
import { mergeTables, type Table } from '../config/key-path.ts'
import type { Config } from '../contract/config.ts'

/** Time limit in milliseconds within which `afterCommit` hooks must finish and plugins must close in a test. */
export const SETTLE_MS = 2000

/** Keys whose values differ from those of an empty svc.toml. */
const DIFFERENCES = {
  server: {
    host: '127.0.0.1',
    port: 0,
    // No time limit, because a debugger may pause a test for any time.
    request_timeout_ms: 0,
    keep_alive_secs: 5,
    shutdown_grace_ms: 0,
    shutdown_timeout_ms: SETTLE_MS,
    max_upgraded_connections: 1000,
  },
  security: { default_policy: 'public' },
  debug: { server_timing: false },
}

/**
 * Returns the configuration for a plugin under test: defaults that suit tests (any free port, no time limit for
 * requests), merged with the keys of the test.
 * @param keys nested like svc.toml
 */
export function testConfig(keys: Readonly<Table> = {}): Config {
  const defaults = mergeTables(defaultConfig() as unknown as Table, DIFFERENCES)
  // A copy, because the test may change its own object later.
  return deepFreeze(mergeTables(defaults, structuredClone(keys)) as unknown as Config)
}
