/** A session variable of one's own has a dot in its name; without one it is a parameter of the database itself. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+$/
/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63

/** svc's own, such as `svc.started_at`. */
const RESERVED = /^svc\./i

/** Is that a name that a session variable of somebody else's can have? */
export function isSettingName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= LONGEST_NAME && NAME.test(name) && !RESERVED.test(name)
}

/** What such a name is, to be read after "It is". */
export const SETTING_NAME = `letters, digits and _ in two or more parts with a dot between them, such as "app.tenant_id", of at most ${LONGEST_NAME} characters, and does not begin with "svc."`
