import type { ListedPlugin } from '../../config/plugin-list.ts'

/**
 * Adds the plugins that others depend on, and theirs.
 *
 * @param listed the plugins of the project
 * @returns in the order of the project
 */
export function withDependencies(
  plugins: readonly ListedPlugin[],
  listed: readonly ListedPlugin[],
): readonly ListedPlugin[] {
  const found = new Set(plugins)
  // A set also visits what is added while it is walked.
  for (const { manifest } of found) {
    for (const one of listed) if (manifest.dependencies?.includes(one.manifest.name) === true) found.add(one)
  }
  return listed.filter((one) => found.has(one))
}
