import { importPackages } from '../../core/doors/plugin.ts'
import { ARROW_PACKAGE } from './packages.ts'

/** The module `apache-arrow`, which is loaded at run time because the package is optional. */
export type Arrow = typeof import('apache-arrow')

/**
 * Loads the optional package `apache-arrow`.
 * @throws SvcError SVC_PACKAGE_MISSING when the package is not installed
 */
export function loadArrow(): Promise<Arrow> {
  return importPackages('arrow', ARROW_PACKAGE, () => import('apache-arrow'))
}
