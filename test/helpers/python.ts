import { spawnSync } from 'node:child_process'
import { skip, type TestLike } from './services.ts'

/**
 * Returns a Python from 3.10 on that has a module, or marks the test as skipped, or as failed where `SVC_TEST_REQUIRE=all`.
 * @param module `sys`: every Python has it
 */
export function requirePython(t: TestLike, module = 'sys'): string | null {
  const candidates = [process.env.SVC_PYTHON, 'python3', '/usr/bin/python3', 'python'].filter(
    (one) => one !== undefined,
  )
  const code = `import sys, ${module}; sys.exit(sys.version_info < (3, 10))`
  const found = candidates.find((one) => spawnSync(one, ['-c', code]).status === 0)
  if (found !== undefined) return found
  skip(t, 'python', `there is no Python 3.10 or newer with ${module}: apt-get install python3 python3-pytest mypy`)
  return null
}
