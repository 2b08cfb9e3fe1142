import type { ListedPlugin } from '../../config/plugin-list.ts'

/**
 * Returns the given plugins and, recursively, all plugins that they depend on.
 * @param plugins the plugins to start with
 * @param listed all plugins of the project
 * @returns in the order of `listed`
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
