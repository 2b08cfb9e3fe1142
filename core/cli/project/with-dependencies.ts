import type { ListedPlugin } from '../../config/plugin-list.ts'

/**
 * Adds the dependencies of plugins, recursively.
 *
 * @param listed the plugins of the project
 * @returns in the order of the project
 */
export function withDependencies(
  plugins: readonly ListedPlugin[],
  listed: readonly ListedPlugin[],
): readonly ListedPlugin[] {
  const found = new Set(plugins)
  // Iteration over a Set includes entries added during the iteration.
  for (const { manifest } of found) {
    for (const one of listed) if (manifest.dependencies?.includes(one.manifest.name) === true) found.add(one)
  }
  return listed.filter((one) => found.has(one))
}
