export { readConfig, requireConfig } from './config.js';
export type { ConfigOf, ConfigResult, Environment } from './config.js';
export { appNames } from './setting.js';
export type { AppName, Setting } from './setting.js';
export { settings } from './settings.js';
export type { SettingName, Settings } from './settings.js';
export { settingsMarkdown } from './settings-doc.js';
export { StartupError } from './startup-error.js';
