/**
 * Key id (`kid`) of tokens that svc issues. A token of another issuer with this key id does not count as issued by svc.
 */
export const OWN_KEY = 'svc'
