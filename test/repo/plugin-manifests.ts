import { pathToFileURL } from 'node:url'
import type { Manifest } from '../../core/doors/plugin.ts'
import { listFiles, ROOT } from './source-files.ts'

/** The manifests of all plugins, by folder. */
export async function readManifests(): Promise<ReadonlyMap<string, Manifest>> {
  const files = listFiles('plugins', '.ts').filter((file) => /^plugins\/[^/]+\/manifest\.ts$/.test(file))
  const found = new Map<string, Manifest>()
  for (const file of files) {
    const { default: manifest } = (await import(pathToFileURL(`${ROOT}/${file}`).href)) as {
      readonly default: Manifest
    }
    found.set(file.split('/')[1]!, manifest)
  }
  return found
}

/** Keys of the options that a manifest declares. */
export function optionKeys({ options }: Manifest): readonly string[] {
  return Object.keys((options?.properties ?? {}) as object)
}
