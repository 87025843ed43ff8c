//! How names get their values: patterns, assignments, parameters.

use oxc_ast::ast::*;

use super::{Reader, Values, joined, member_name};

/// Methods of arrays that give their function an element first.
const EACH: [&str; 9] = ["map", "forEach", "filter", "flatMap", "some", "every", "find", "findIndex", "findLast"];

impl<'a> Reader<'_> {
    /// Gives a pattern its values; what is taken out of a skill by name is used.
    pub(super) fn bind(&mut self, pattern: &BindingPattern<'a>, values: &[String]) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => {
                if let Some(symbol) = id.symbol_id.get() {
                    self.learn(&format!("{}/{symbol:?}", self.script), values);
                }
            }
            BindingPattern::ObjectPattern(object) => {
                for property in &object.properties {
                    for key in self.keys(&property.key) {
                        let found = self.members(values, &key);
                        self.note(&found, false);
                        self.bind(&property.value, &found);
                    }
                }
                if let Some(rest) = &object.rest {
                    self.bind(&rest.argument, values);
                }
            }
            BindingPattern::ArrayPattern(array) => {
                for (number, element) in array.elements.iter().enumerate() {
                    if let Some(element) = element {
                        let found = self.members(values, &number.to_string());
                        let found = if found.iter().any(|v| !v.starts_with('#'))
                            && !values.iter().any(|v| v.starts_with('#'))
                        {
                            Values::new()
                        } else {
                            found
                        };
                        self.bind(element, &found);
                    }
                }
                if let Some(rest) = &array.rest {
                    self.bind(&rest.argument, values);
                }
            }
            BindingPattern::AssignmentPattern(with_default) => {
                let values = joined(values.to_vec(), self.value(&with_default.right));
                self.bind(&with_default.left, &values);
            }
        }
    }

    pub(super) fn assign(&mut self, target: &AssignmentTarget<'a>, values: &[String]) {
        match target {
            AssignmentTarget::AssignmentTargetIdentifier(id) => {
                if let Some(key) = self.key(id) {
                    self.learn(&key, values);
                }
            }
            AssignmentTarget::ObjectAssignmentTarget(object) => {
                for property in &object.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                            let mut found = self.members(values, it.binding.name.as_str());
                            self.note(&found, false);
                            found.extend(it.init.as_ref().map(|e| self.value(e)).unwrap_or_default());
                            if let Some(key) = self.key(&it.binding) {
                                self.learn(&key, &found);
                            }
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                            for key in self.keys(&it.name) {
                                let found = self.members(values, &key);
                                self.note(&found, false);
                                self.assign_with_default(&it.binding, found);
                            }
                        }
                    }
                }
                if let Some(rest) = &object.rest {
                    self.assign(&rest.target, values);
                }
            }
            AssignmentTarget::ArrayAssignmentTarget(array) => {
                for (number, element) in array.elements.iter().enumerate() {
                    let own: Values = values.iter().filter(|v| v.starts_with('#')).cloned().collect();
                    if let Some(element) = element {
                        let found = self.members(&own, &number.to_string());
                        self.assign_with_default(element, found);
                    }
                }
            }
            other => {
                let target = other.as_simple_assignment_target().and_then(|t| t.as_member_expression());
                let Some(member) = target else { return };
                for object in self.value(member.object()).iter().filter(|v| v.starts_with('#')) {
                    match (member_name(member), member) {
                        (Some(name), _) => self.learn(&format!("{object}.{name}"), values),
                        (None, MemberExpression::ComputedMemberExpression(it)) => {
                            self.put(object, &self.value(&it.expression), values);
                        }
                        (None, _) => {}
                    }
                }
            }
        }
    }

    pub(super) fn assign_with_default(&mut self, target: &AssignmentTargetMaybeDefault<'a>, mut values: Values) {
        match target {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                values.extend(self.value(&it.init));
                self.assign(&it.binding, &values);
            }
            other => {
                if let Some(target) = other.as_assignment_target() {
                    self.assign(target, &values);
                }
            }
        }
    }

    /// A call's arguments reach the parameters of the script's own functions.
    pub(super) fn pass(&mut self, callee: &Expression<'a>, arguments: &[Argument<'a>]) {
        let functions = self.value(callee);
        self.note(&functions, true);
        let given: Vec<Values> =
            arguments.iter().map(|a| a.as_expression().map(|e| self.value(e)).unwrap_or_default()).collect();
        for function in functions.iter().filter(|v| v.starts_with('#')) {
            for (number, values) in given.iter().enumerate() {
                self.learn(&format!("{function}@{number}"), values);
            }
        }
        if let Some(member) = callee.get_inner_expression().as_member_expression()
            && let Some(name) = member.static_property_name()
        {
            let object = self.value(member.object());
            if EACH.contains(&name) {
                let elements = self.elements(&object);
                for function in given.first().into_iter().flatten().filter(|v| v.starts_with('#')) {
                    self.learn(&format!("{function}@0"), &elements);
                }
            }
            // `Promise.resolve(github).then(g => g.issues.list())`
            if name == "then" {
                for function in given.first().into_iter().flatten().filter(|v| v.starts_with('#')) {
                    self.learn(&format!("{function}@0"), &object);
                }
            }
            if let ("set", [keys, values]) = (name, given.as_slice()) {
                for map in object.iter().filter(|v| v.starts_with('#')) {
                    self.put(map, keys, values);
                }
            }
            if matches!(name, "call" | "apply") {
                for function in object.iter().filter(|v| v.starts_with('#')) {
                    for (number, values) in given.iter().skip(1).enumerate() {
                        self.learn(&format!("{function}@{number}"), values);
                    }
                }
            }
        }
    }

    pub(super) fn enter(&mut self, function: &str, parameters: &FormalParameters<'a>) {
        for (number, parameter) in parameters.items.iter().enumerate() {
            let mut values = self.known(&format!("{function}@{number}"));
            values.extend(parameter.initializer.as_ref().map(|e| self.value(e)).unwrap_or_default());
            self.bind(&parameter.pattern, &values);
        }
        self.functions.push(function.to_owned());
    }
}
