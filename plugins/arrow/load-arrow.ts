import { SvcError } from '../../core/doors/plugin.ts'

/** The module `apache-arrow`, which is loaded at run time because the package is optional. */
export type Arrow = typeof import('apache-arrow')

/** Loads the optional package `apache-arrow`. @throws SvcError SVC_CONFIG_INVALID when the package is not installed */
export function loadArrow(): Promise<Arrow> {
  return import('apache-arrow').catch((cause: unknown) => {
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      'The schema has columnar queries (@arrowQuery), and the package "apache-arrow" is not installed. Run `npm install apache-arrow`, or set enabled = false in [arrow].',
      { cause },
    )
  })
}
