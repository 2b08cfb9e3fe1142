import { spawnSync } from 'node:child_process'
import { skip, type TestLike } from './services.ts'

let found: string | null | undefined

/**
 * Returns a Python interpreter of version 3.10 or newer: that of SVC_PYTHON, else `python3`. Without one, the test is marked as skipped with
 * the reason, or as failed where `SVC_TEST_REQUIRE=all`.
 *
 *     const python = requirePython(t)
 *     if (python === null) return
 */
export function requirePython(t: TestLike): string | null {
  const command = process.env.SVC_PYTHON ?? 'python3'
  found ??= spawnSync(command, ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0 ? command : null
  if (found === null) skip(t, 'Python', `${command} is no Python of version 3.10 or newer`)
  return found
}
