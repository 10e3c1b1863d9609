// The profiles of /configz as lists of plugins.

// [{name, plugins: [{plugin, weight, points, state}]}]. `points` says where the policy enables or disables the plugin; `state`
// is from /admin/v1/plugins.
export function profilesOf(configz, list) {
  const states = new Map((list?.plugins ?? []).map((one) => [one.name, one.state]));
  return (configz?.componentconfig?.profiles ?? []).map(({schedulerName, plugins}) => ({name: schedulerName, plugins: pluginsOf(plugins ?? {}, states)}));
}

function pluginsOf(points, states) {
  const found = new Map();
  const add = (plugin, point, weight) => {
    if (!found.has(plugin)) found.set(plugin, {plugin, weight: null, points: [], state: states.get(plugin)});
    found.get(plugin).points.push(point);
    found.get(plugin).weight = weight || found.get(plugin).weight;
  };
  const {multiPoint, ...single} = points;
  for (const {name, weight} of multiPoint?.enabled ?? []) add(name, 'all that it implements', weight);
  for (const [point, {enabled, disabled}] of Object.entries(single)) {
    for (const {name, weight} of enabled ?? []) add(name, point, weight);
    for (const {name} of disabled ?? []) add(name, `not ${point}`);
  }
  return [...found.values()];
}
