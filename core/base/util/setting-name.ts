/** A custom session variable has a dot in its name. Names without one are parameters of the database. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+$/
/** PostgreSQL truncates longer names. */
const LONGEST_NAME = 63

/** Variables of svc, such as `svc.started_at`. */
const RESERVED = /^svc\./i

/**
 * Tests whether a name is valid for a session variable of the database that svc may set: `app.tenant_id`, but not
 * `search_path` or `svc.x`.
 */
export function isSettingName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= LONGEST_NAME && NAME.test(name) && !RESERVED.test(name)
}

/**
 * Describes the names that {@link isSettingName} accepts, for error messages. It completes a sentence after "It is".
 */
export const SETTING_NAME = `letters, digits and _ in two or more parts with a dot between them, such as "app.tenant_id", of at most ${LONGEST_NAME} characters, and does not begin with "svc."`
