/** Federation directives that svc prints, with the minor version of Federation 2 that introduced each. */
export const SPEC_DIRECTIVES: Readonly<Record<string, number>> = {
  key: 0,
  external: 0,
  requires: 0,
  provides: 0,
  shareable: 0,
  override: 0,
  inaccessible: 0,
  tag: 0,
  extends: 0,
  composeDirective: 1,
  interfaceObject: 3,
  authenticated: 5,
  requiresScopes: 5,
  policy: 6,
}

/**
 * Key for the feature "`@override` with a label" in the result of {@link versionOf}. A later version than that of
 * `@override` introduced it.
 */
export const LABELLED = 'override(label)'

/** Lowest minor version. It introduced keys of interfaces, and nearly all routers support it. */
const LOWEST = 3

/**
 * Returns the lowest version of Federation 2 that has all of the given directives, such as `2.5`.
 * @param names directives without `@`, and {@link LABELLED}
 */
export function versionOf(names: Iterable<string>): string {
  let minor = LOWEST
  for (const name of names) minor = Math.max(minor, name === LABELLED ? 7 : (SPEC_DIRECTIVES[name] ?? 0))
  return `2.${minor}`
}
