import { readFileSync } from 'node:fs'

/** The version of the installed svc package. */
export function readVersion(): string {
  // core/cli/ in a source checkout, dist/core/cli/ in a published package.
  for (const up of ['../../package.json', '../../../package.json']) {
    const manifest = readManifest(new URL(up, import.meta.url))
    if (manifest?.name === 'svc' && typeof manifest.version === 'string') return manifest.version
  }
  throw new Error('The package.json of svc is not where it belongs.')
}

function readManifest(url: URL): { name?: unknown; version?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(url, 'utf8'))
  } catch {
    return undefined
  }
}
