import { type TestedPlugin, testPlugin } from '../../core/testing/testing.ts'
import type { TestLike } from './services.ts'

/** Boots a plugin, as `testPlugin` does, and closes it when the test ends. */
export async function openPlugin(
  t: Pick<TestLike, 'teardown'>,
  ...args: Parameters<typeof testPlugin>
): Promise<TestedPlugin> {
  const tested = await testPlugin(...args)
  t.teardown(() => tested.close())
  return tested
}
