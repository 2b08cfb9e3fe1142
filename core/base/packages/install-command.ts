import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { type OwnManifest, PACKAGE_NAME, readOwnPackage } from './own-package.ts'

/**
 * Returns the command that installs packages for the running svc: in a project, globally, or for the next call of npx.
 * The versions are those of `peerDependencies` in svc's package.json; other packages have none.
 */
export function installCommand(names: readonly string[], { folder, manifest } = readOwnPackage()): string {
  const specs = names.map((name) => specOf(name, manifest))
  const modules = dirname(folder)
  const holder = dirname(modules)
  if (basename(modules) !== 'node_modules') return `npm install ${specs.join(' ')}`
  if (basename(dirname(holder)) === '_npx') {
    const all = [...requestedOf(holder, manifest), ...specs]
    return `npx ${all.map((spec) => `-p ${spec}`).join(' ')} svc …`
  }
  if (folder.includes(`${sep}.pnpm${sep}`)) return `pnpm add ${specs.join(' ')}`
  const isGlobal = basename(holder) === 'lib' && !existsSync(join(holder, 'package.json'))
  return `npm install ${isGlobal ? '--global ' : ''}${specs.join(' ')}`
}

/**
 * Returns the version of an optional peer for the package.json of a project.
 * @throws Error for a package that is no optional peer of svc
 */
export function versionOf(name: string, manifest: OwnManifest = readOwnPackage().manifest): string {
  const range = manifest.peerDependencies[name]
  if (range === undefined) throw new Error(`${name} is not in peerDependencies of ${PACKAGE_NAME}`)
  // A tested version without a range is exact for a reason: the package fits no other version of its peers, or of files of svc.
  const tested = manifest.devDependencies[name]
  return tested !== undefined && /^\d/.test(tested) ? tested : range
}

function specOf(name: string, manifest: OwnManifest): string {
  if (manifest.peerDependencies[name] === undefined) return name
  const version = versionOf(name, manifest)
  const [, major, minor] = /^\^(\d+)\.(\d+)\./.exec(version) ?? []
  // A caret needs quotes in some shells. Of a package below 1.0 it permits no other minor version.
  if (major === undefined) return `${name}@${version}`
  return `${name}@${major === '0' ? `0.${minor}` : major}`
}

/** Returns the packages that the user named for npx, which npx records in its folder. */
function requestedOf(holder: string, { name, version }: OwnManifest): readonly string[] {
  try {
    const { _npx: own } = JSON.parse(readFileSync(join(holder, 'package.json'), 'utf8')) as {
      readonly _npx?: { readonly packages?: readonly string[] }
    }
    if (own?.packages !== undefined && own.packages.length > 0) return own.packages
  } catch {
    // An older npx records nothing.
  }
  return [`${name}@${version}`]
}
