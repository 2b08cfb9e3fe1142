/** Packages that svc does not install, because one feature alone needs them. They are optional peers in package.json. */
export interface OptionalPackages {
  /** Names on npm. The feature needs all of them. */
  readonly names: readonly string[]
  /** The feature, for messages and the docs: `backend = "msgbus"`. */
  readonly for: string
  /**
   * When the packages are needed, for `svc doctor`: if the option has the value `is` (without `is`: any value), or,
   * with `'schema'`, if the compiled schema uses the plugin. Absent: `svc doctor` does not check, because the plugin
   * itself reports a missing package.
   */
  readonly when?: { readonly option: string; readonly is?: string | boolean } | 'schema'
  /** What the user can do instead of installing the packages, as an imperative: `set enabled = false in [arrow]`. */
  readonly instead?: string
}
